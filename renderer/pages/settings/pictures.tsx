import { Text } from '@mantine/core'
import type { RealmSnapshot } from '../../../server/contract.ts'
import type { RealmClient } from '../../api.ts'
import { onThisOrigin } from '../../base/address.ts'
import { PictureButtons } from '../../base/picture-buttons.tsx'
import classes from './pictures.module.css'

interface Props {
  client: RealmClient
  settings: RealmSnapshot
}

/** What the organization is known by: its own pictures, or those that the server draws. */
export function Pictures({ client, settings }: Props) {
  return (
    <div className={classes.pictures}>
      <div>
        <Text size="sm" fw={500}>
          Icon
        </Text>
        <div className={classes.line}>
          <img
            className={classes.icon}
            src={onThisOrigin(settings.realm_icon_url)}
            alt="The icon now"
            width={72}
            height={72}
          />
          <div>
            <PictureButtons
              what="icon"
              upload={(file) => client.upload('/realm/icon', file)}
              remove={
                settings.realm_icon_source === 'U' ? () => client.call('DELETE', '/realm/icon') : undefined
              }
            />
            <Text size="xs" c="dimmed" mt={6}>
              A square, up to {settings.max_icon_file_size_mib} MB; others are cut to the middle.
            </Text>
          </div>
        </div>
      </div>
      <Logo
        label="Logo by day"
        night={false}
        url={settings.realm_logo_url}
        own={settings.realm_logo_source === 'U'}
        client={client}
      />
      <Logo
        label="Logo by night"
        night
        url={settings.realm_night_logo_url}
        own={settings.realm_night_logo_source === 'U'}
        client={client}
      />
      <Text size="xs" c="dimmed" className={classes.note}>
        Logos are wide, up to 800 × 200 pixels and {settings.max_logo_file_size_mib} MB: one for light pages,
        one for dark ones.
      </Text>
    </div>
  )
}

interface LogoProps {
  label: string
  night: boolean
  url: string
  /** Whether it is the organization's own. */
  own: boolean
  client: RealmClient
}

/** Shown on the ground it is made for, whatever the page's own is. */
function Logo({ label, night, url, own, client }: LogoProps) {
  const what = label.toLowerCase()
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <div className={classes.ground} data-night={night || undefined}>
        <img src={onThisOrigin(url)} alt={`The ${what} now`} />
      </div>
      <PictureButtons
        what={what}
        upload={(file) => client.upload('/realm/logo', file, { parameters: { night } })}
        remove={own ? () => client.call('DELETE', '/realm/logo', { night }) : undefined}
      />
    </div>
  )
}
