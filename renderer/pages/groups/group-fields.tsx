import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { RealmState } from '../../live.ts'

const MAX_NAME = 100
const MAX_DESCRIPTION = 1024

/** @param own id of the group that is renamed */
export function groupRules(state: RealmState, own?: number) {
  return {
    name: (value: string) => nameProblem(state, value.trim(), own),
    description: (value: string) =>
      value.trim().length > MAX_DESCRIPTION ? `At most ${MAX_DESCRIPTION} characters.` : null,
  }
}

function nameProblem({ groups }: RealmState, name: string, own: number | undefined): string | null {
  if (!name) return 'Enter a name.'
  if (name.length > MAX_NAME) return `At most ${MAX_NAME} characters.`
  const isTaken = [...groups.values()].some((group) => group.id !== own && group.name === name)
  return isTaken ? 'A group of this name is there already.' : null
}

interface Props {
  name: GetInputPropsReturnType
  description: GetInputPropsReturnType
}

export function GroupFields({ name, description }: Props) {
  return (
    <>
      <TextInput label="Name" placeholder="design" autoComplete="off" data-autofocus {...name} />
      <Textarea
        label="Description"
        placeholder="Who is in it, and what for"
        autosize
        minRows={2}
        maxRows={6}
        {...description}
      />
    </>
  )
}
