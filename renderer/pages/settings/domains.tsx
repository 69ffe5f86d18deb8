import { ActionIcon, Button, Checkbox, TextInput, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../base/notify.tsx'
import type { Setting } from './catalogue.ts'
import type { ControlProps } from './controls.tsx'
import { SettingRow } from './setting-row.tsx'
import classes from './settings.module.css'

type Props = ControlProps<Extract<Setting, { kind: 'domains' }>>

/** The domains whose addresses are the organization's own. */
export function Domains({ setting, state, client, locked }: Props) {
  const [domain, setDomain] = useState('')
  const add = useMutation({
    mutationFn: () => client.call('POST', '/realm/domains', { domain: domain.trim() }),
    onSuccess: () => setDomain(''),
  })
  const change = useMutation({
    mutationFn: ({ name, subdomains }: { name: string; subdomains: boolean }) =>
      client.call('PATCH', `/realm/domains/${encodeURIComponent(name)}`, { allow_subdomains: subdomains }),
  })
  const remove = useMutation({
    mutationFn: (name: string) => client.call('DELETE', `/realm/domains/${encodeURIComponent(name)}`),
  })
  const failed = [remove, change].find(({ isError }) => isError)
  const domains = state.snapshot.realm_domains
  return (
    <SettingRow
      id="setting-domains"
      label={setting.label}
      description={setting.description}
      locked={locked}
      saved={{ state: 'still', error: failed ? messageOf(failed.error) : null }}
    >
      {domains.length > 0 && (
        <ul className={classes.list} aria-label="Domains">
          {domains.map(({ domain: name, allow_subdomains }) => (
            <li key={name} className={classes.domain}>
              <span>{name}</span>
              <Checkbox
                size="xs"
                label="and subdomains"
                aria-label={`${name} and subdomains`}
                checked={allow_subdomains}
                disabled={locked !== undefined || change.isPending}
                onChange={(event) => change.mutate({ name, subdomains: event.currentTarget.checked })}
              />
              <Tooltip label="Remove">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${name}`}
                  disabled={locked !== undefined}
                  loading={remove.isPending && remove.variables === name}
                  onClick={() => remove.mutate(name)}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Tooltip>
            </li>
          ))}
        </ul>
      )}
      <form
        className={classes.inline}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (domain.trim()) add.mutate()
        }}
      >
        <TextInput
          id="setting-domains"
          placeholder="example.org"
          autoComplete="off"
          spellCheck={false}
          value={domain}
          disabled={locked !== undefined}
          error={add.isError && messageOf(add.error)}
          onChange={(event) => {
            add.reset()
            setDomain(event.currentTarget.value)
          }}
        />
        <Button
          type="submit"
          variant="default"
          flex="none"
          loading={add.isPending}
          disabled={locked !== undefined || !domain.trim()}
        >
          Add
        </Button>
      </form>
    </SettingRow>
  )
}
