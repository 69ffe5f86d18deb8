/** Polls and task lists: how a message becomes one, and what may be said to it. */
import { z } from 'zod'
import { BadRequestError } from '../../http/errors.ts'

const Text = z.string().min(1).max(10_000)

const Widget = z.discriminatedUnion('widget_type', [
  z.object({
    widget_type: z.literal('poll'),
    extra_data: z.object({ question: z.string(), options: z.array(z.string()) }),
  }),
  z.object({
    widget_type: z.literal('todo'),
    extra_data: z.object({
      task_list_title: z.string(),
      tasks: z.array(z.object({ task: z.string(), desc: z.string() })),
    }),
  }),
])
export type Widget = z.output<typeof Widget>

/** The widget that a message is: `/poll question` or `/todo title`, and a line for each option or task. */
export function widgetIn(content: string): Widget | undefined {
  const [first = '', ...rest] = content.split('\n')
  const [, command, title = ''] = /^\/(poll|todo)(?:\s+(.*))?$/.exec(first.trim()) ?? []
  const lines = rest.map((line) => line.trim().replace(/^[-*]\s+/, '')).filter((line) => line !== '')
  if (command === 'poll') {
    return { widget_type: 'poll', extra_data: { question: title.trim(), options: lines } }
  }
  if (command !== 'todo') return undefined
  const tasks = lines.map((line) => {
    const [task = '', ...desc] = line.split(':')
    return { task: task.trim(), desc: desc.join(':').trim() }
  })
  return { widget_type: 'todo', extra_data: { task_list_title: title.trim(), tasks } }
}

/** What may be said to each kind of widget. Only who sent it may change what it is about. */
const actions = {
  poll: z.discriminatedUnion('type', [
    z.object({ type: z.literal('new_option'), option: Text, idx: z.int().min(0).max(1000) }),
    z.object({ type: z.literal('question'), question: Text }),
    z.object({ type: z.literal('vote'), key: Text, vote: z.literal([1, -1]) }),
  ]),
  todo: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('new_task'),
      key: z.int().min(0).max(1000),
      task: Text,
      desc: z.string().max(10_000),
      completed: z.boolean(),
    }),
    z.object({ type: z.literal('strike'), key: Text }),
    z.object({ type: z.literal('new_task_list_title'), title: Text }),
  ]),
} as const
const ofSender = new Set(['question', 'new_task_list_title'])

/**
 * @param widget the first submessage of the message
 * @throws BadRequestError for what is no JSON, what this widget does not know, or what only its sender may say
 */
export function assertMaySay(widget: string | undefined, content: string, isSender: boolean): void {
  const said = parseJson(content)
  const known = widget === undefined ? undefined : Widget.safeParse(parseJson(widget))
  if (!known?.success) return
  const action = actions[known.data.widget_type].safeParse(said)
  if (!action.success) {
    throw new BadRequestError(
      `Invalid ${known.data.widget_type} data: ${action.error.issues[0]?.message ?? ''}`,
    )
  }
  if (ofSender.has(action.data.type) && !isSender) {
    throw new BadRequestError('Only the sender of this message may change what it is about')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequestError('Invalid json for submessage')
  }
}
