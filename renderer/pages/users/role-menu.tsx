import { Button, Menu, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useRealmLive } from '../../admin/realm-live.tsx'
import { notifyFailure, notifySuccess } from '../../base/notify.tsx'
import type { Role, User } from '../../live.ts'
import { roleLabel, roleProblem, roles } from './roles.ts'

/** The role, changed in place. The row itself changes when the realm says so, not before. */
export function RoleMenu({ user }: { user: User }) {
  const { client, state } = useRealmLive()
  const change = useMutation({
    mutationFn: (role: Role) => client.call('PATCH', `/users/${user.user_id}`, { role }),
    onSuccess: (_reply, role) => notifySuccess(`${user.full_name} is now ${withArticle(roleLabel(role))}.`),
    onError: notifyFailure,
  })
  if (!user.is_active) {
    return (
      <Text size="sm" c="dimmed">
        {roleLabel(user.role)}
      </Text>
    )
  }
  return (
    <Menu position="bottom-start" width={290} shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ml={-8}
          fw={500}
          c="var(--mantine-color-text)"
          rightSection={<IconChevronDown size={14} />}
          loading={change.isPending}
          aria-label={`Role of ${user.full_name}: ${roleLabel(user.role)}. Change`}
        >
          {roleLabel(user.role)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {roles.map(({ value, label, description }) => {
          const problem = state && roleProblem(state, user, value)
          return (
            <Menu.Item
              key={value}
              disabled={Boolean(problem)}
              rightSection={value === user.role ? <IconCheck size={16} aria-label="current" /> : null}
              onClick={() => value !== user.role && change.mutate(value)}
            >
              <Text size="sm" fw={500}>
                {label}
              </Text>
              <Text size="xs" c="dimmed">
                {problem ?? description}
              </Text>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

function withArticle(role: string): string {
  return `${/^[aeiou]/i.test(role) ? 'an' : 'a'} ${role.toLowerCase()}`
}
