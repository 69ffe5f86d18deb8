import { Button, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { Section } from '../../base/section.tsx'
import { Tag } from '../../base/tag.tsx'
import type { RealmState, User } from '../../live.ts'
import { paths } from '../../router.ts'
import { botTypeLabel, mayCreateBots } from './bots.ts'
import { openCreateBot } from './create-bot.tsx'
import classes from './users.module.css'

/** The bots that somebody owns. */
export function OwnBots({ owner, state }: { owner: User; state: RealmState }) {
  const { realm, client } = useRealmLive()
  const [, navigate] = useLocation()
  const bots = [...state.users.values()].filter((user) => user.is_bot && user.bot_owner_id === owner.user_id)
  const create = () =>
    openCreateBot(client, state, owner.user_id, (id) => navigate(paths.realm(realm, 'users', id)))
  return (
    <Section
      title="Bots"
      description={bots.length === 0 && 'Owns no bot.'}
      actions={
        owner.is_active &&
        mayCreateBots(state) && (
          <Button variant="default" size="xs" leftSection={<IconRobot size={16} />} onClick={create}>
            Create bot
          </Button>
        )
      }
    >
      {bots.length > 0 && (
        <ul className={classes.plain}>
          {bots.map((bot) => (
            <li key={bot.user_id} className={classes.line}>
              <Text component={Link} href={paths.realm(realm, 'users', bot.user_id)} className={classes.link}>
                {bot.full_name}
              </Text>
              <Text size="sm" c="dimmed">
                {botTypeLabel(bot.bot_type)}
              </Text>
              {!bot.is_active && <Tag>Deactivated</Tag>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
