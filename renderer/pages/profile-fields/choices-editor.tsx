import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Choice } from './field-types.ts'

interface Props {
  choices: Choice[]
  onChange: (choices: Choice[]) => void
  error: ReactNode
}

/** The choices of a list: written, ordered, added and taken out. Enter goes on to a new one. */
export function ChoicesEditor({ choices, onChange, error }: Props) {
  const rows = useRef<HTMLDivElement>(null)
  const focus = useRef<number>(null)
  useEffect(() => {
    if (focus.current === null) return
    rows.current?.querySelectorAll('input')[focus.current]?.focus()
    focus.current = null
  })
  const add = () => {
    focus.current = choices.length
    onChange([...choices, { key: '', text: '' }])
  }
  const remove = (index: number) => {
    focus.current = Math.max(0, index - 1)
    onChange(choices.filter((_, other) => other !== index))
  }
  const keepsAnswers = choices.some(({ key }) => key !== '')
  const swap = (index: number, to: number) => {
    const next = [...choices]
    next.splice(to, 0, ...next.splice(index, 1))
    focus.current = to
    onChange(next)
  }
  return (
    <Input.Wrapper
      label="Choices"
      labelElement="div"
      description={keepsAnswers && 'Who had chosen what you take out has chosen nothing then.'}
      error={error}
    >
      <Stack gap={6} mt={8} ref={rows}>
        {choices.map(({ text }, index) => (
          <Group key={index} gap={4} wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`Choice ${index + 1}`}
              placeholder={`Choice ${index + 1}`}
              autoComplete="off"
              value={text}
              onChange={(event) => {
                const { value } = event.currentTarget
                onChange(choices.map((one, other) => (other === index ? { ...one, text: value } : one)))
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                add()
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Move choice ${index + 1} up`}
              disabled={index === 0}
              onClick={() => swap(index, index - 1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Move choice ${index + 1} down`}
              disabled={index === choices.length - 1}
              onClick={() => swap(index, index + 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Take out choice ${index + 1}`}
              disabled={choices.length === 1}
              onClick={() => remove(index)}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} />}
          onClick={add}
          style={{ alignSelf: 'flex-start' }}
        >
          Add a choice
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
