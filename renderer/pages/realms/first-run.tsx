import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconBuildingCommunity, IconHash, IconPlus, IconUsers } from '@tabler/icons-react'
import { useIsOperator } from '../../admin/session-context.tsx'
import { Mark } from '../../base/mark.tsx'
import { Page } from '../../base/page.tsx'
import classes from './first-run.module.css'
import { ServerCard } from './server-card.tsx'

const steps = [
  {
    icon: IconBuildingCommunity,
    title: 'Create a realm',
    text: 'Your organization, with you or a colleague as its owner.',
  },
  {
    icon: IconUsers,
    title: 'Add people',
    text: 'Each gets an API key or a password for the client of their choice.',
  },
  {
    icon: IconHash,
    title: 'Open channels',
    text: 'General is a good start. Topics keep talks apart within a channel.',
  },
]

/** What a new server shows: one thing to do. */
export function FirstRun({ create }: { create: () => void }) {
  const operator = useIsOperator()
  return (
    <Page title="Welcome to Parley" description="Your chat server is running. It has no realm yet.">
      <div className={`card ${classes.hero}`}>
        <Stack align="flex-start" gap="sm" maw={460}>
          <Mark size={52} />
          <Title order={2} size={22} mt="xs">
            Start with a realm for your team
          </Title>
          <Text c="dimmed">
            A realm is one organization with its own people, channels and messages. One server can hold many,
            and none of them sees another.
          </Text>
          {operator && (
            <Button size="md" mt="xs" leftSection={<IconPlus size={18} />} onClick={create}>
              Create your first realm
            </Button>
          )}
        </Stack>
        <ol className={classes.steps}>
          {steps.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <Group wrap="nowrap" align="flex-start" gap="md">
                <ThemeIcon variant="light" size={38} radius="md">
                  <Icon size={20} />
                </ThemeIcon>
                <div>
                  <Text fw={600} size="sm">
                    {title}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {text}
                  </Text>
                </div>
              </Group>
            </li>
          ))}
        </ol>
      </div>
      <ServerCard />
    </Page>
  )
}
