import {
  IconActivity,
  IconArchive,
  IconHash,
  IconId,
  IconLayoutDashboard,
  IconMailPlus,
  IconMoodSmile,
  IconSettings,
  IconLink,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { formatCount } from '../base/format.ts'
import { paths } from '../router.ts'
import { useCurrentRealm } from './current-realm.ts'
import classes from './navigation.module.css'
import { useIsOperator } from './session-context.tsx'

export function Navigation() {
  const realm = useCurrentRealm()
  const operator = useIsOperator()
  return (
    <nav className={classes.nav} aria-label="Main">
      <Group label="Server">
        <Item to={paths.overview()} icon={<IconLayoutDashboard size={18} />} label="Overview" exact />
        <Item
          to={paths.activity(operator ? undefined : realm?.name)}
          icon={<IconActivity size={18} />}
          label="Activity"
          under="/activity"
        />
        {operator && <Item to={paths.backups()} icon={<IconArchive size={18} />} label="Backups" />}
      </Group>
      {realm && (
        <Group label={realm.display_name}>
          <Item
            to={paths.realm(realm.name, 'users')}
            icon={<IconUsers size={18} />}
            label="Users"
            count={realm.users}
          />
          <Item to={paths.realm(realm.name, 'groups')} icon={<IconUsersGroup size={18} />} label="Groups" />
          <Item
            to={paths.realm(realm.name, 'invitations')}
            icon={<IconMailPlus size={18} />}
            label="Invitations"
          />
          <Item
            to={paths.realm(realm.name, 'channels')}
            icon={<IconHash size={18} />}
            label="Channels"
            count={realm.channels}
          />
          <Item to={paths.realm(realm.name, 'emoji')} icon={<IconMoodSmile size={18} />} label="Emoji" />
          <Item
            to={paths.realm(realm.name, 'profile-fields')}
            icon={<IconId size={18} />}
            label="Profile fields"
          />
          <Item to={paths.realm(realm.name, 'links')} icon={<IconLink size={18} />} label="Links" />
          <Item to={paths.realm(realm.name, 'settings')} icon={<IconSettings size={18} />} label="Settings" />
        </Group>
      )}
    </nav>
  )
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes.group} aria-label={label}>
      <div className={classes.label}>{label}</div>
      <ul className={classes.list}>{children}</ul>
    </section>
  )
}

interface ItemProps {
  to: string
  icon: ReactNode
  label: string
  count?: number
  exact?: boolean
  under?: string
}

function Item({ to, icon, label, count, exact = false, under = to }: ItemProps) {
  const [location] = useLocation()
  const here = exact ? location === to : location === under || location.startsWith(`${under}/`)
  return (
    <li>
      <Link href={to} className={classes.item} aria-current={here ? 'page' : undefined}>
        {icon}
        <span className="clip">{label}</span>
        {count !== undefined && (
          <span className={classes.count} aria-label={`${count} in total`} role="img">
            {formatCount(count)}
          </span>
        )}
      </Link>
    </li>
  )
}
