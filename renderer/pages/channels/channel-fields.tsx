import { Textarea, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { RealmState } from '../../live.ts'

type Limits = Pick<RealmState, 'max_channel_name_length' | 'max_channel_description_length'>

export function channelRules(limits: Limits) {
  return {
    name: (value: string) =>
      !value.trim()
        ? 'Enter a name.'
        : value.trim().length > limits.max_channel_name_length
          ? `At most ${limits.max_channel_name_length} characters.`
          : null,
    description: (value: string) =>
      value.trim().length > limits.max_channel_description_length
        ? `At most ${limits.max_channel_description_length} characters.`
        : null,
  }
}

interface Props {
  name: GetInputPropsReturnType
  description: GetInputPropsReturnType
}

export function ChannelFields({ name, description }: Props) {
  return (
    <>
      <TextInput label="Name" placeholder="marketing" autoComplete="off" data-autofocus {...name} />
      <Textarea
        label="Description"
        placeholder="What belongs here"
        description="Shown under the channel’s name. Markdown works."
        autosize
        minRows={2}
        maxRows={6}
        {...description}
      />
    </>
  )
}
