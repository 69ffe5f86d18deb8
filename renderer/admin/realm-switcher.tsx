import { Menu, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { RealmIcon } from '../pages/realms/realm-icon.tsx'
import { openCreateRealm } from '../pages/realms/create-realm.tsx'
import { samePageIn } from '../router.ts'
import { useCurrentRealm } from './current-realm.ts'
import { useRealms } from './queries.ts'
import classes from './realm-switcher.module.css'
import { useIsOperator } from './session-context.tsx'

const SEARCH_FROM = 8

export function RealmSwitcher() {
  const operator = useIsOperator()
  const { data: realms } = useRealms()
  const current = useCurrentRealm()
  const [location, navigate] = useLocation()
  if (!realms) return <Skeleton h={36} w={170} />
  if (!operator)
    return current ? (
      <div className={classes.fixed}>{<Shown name={current.name} label={current.display_name} />}</div>
    ) : null
  const create = () => openCreateRealm({ navigate })
  const noRealm = realms.length === 0 ? 'No realm yet' : 'Choose a realm'
  return (
    <Menu position="bottom-start" width={264} shadow="md" radius="md">
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={`${current?.display_name ?? noRealm}. Switch realm`}
        >
          {current ? (
            <Shown name={current.name} label={current.display_name} />
          ) : (
            <Text size="sm" c="dimmed">
              {noRealm}
            </Text>
          )}
          <IconSelector size={16} className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {realms.length >= SEARCH_FROM && <Menu.Search placeholder="Find a realm" aria-label="Find a realm" />}
        {realms.length > 0 && <Menu.Label>Realms</Menu.Label>}
        <div className={classes.list}>
          {realms.map((realm) => (
            <Menu.Item
              key={realm.name}
              leftSection={<RealmIcon name={realm.name} label={realm.display_name} size={22} />}
              rightSection={
                realm.name === current?.name ? <IconCheck size={16} aria-label="current" /> : null
              }
              onClick={() => navigate(samePageIn(realm.name, location))}
            >
              {realm.display_name}
            </Menu.Item>
          ))}
        </div>
        {realms.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconPlus size={18} />} onClick={create}>
          Create realm…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Shown({ name, label }: { name: string; label: string }) {
  return (
    <>
      <RealmIcon name={name} label={label} size={24} />
      <span className={`clip ${classes.name}`}>{label}</span>
    </>
  )
}
