import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { diffHtml } from '../../services/html-diff.ts'
import { assertMayRead } from './access.ts'
import { EditHistoryEntry, visibleHistory, withShownTopics } from './edit-history.ts'
import { type EditedMessage, messageToEdit } from './edit-store.ts'

/** The message as an edit left it, and what the edit changed. */
const HistoryEntry = z.strictObject({
  ...EditHistoryEntry.shape,
  content: z.string(),
  rendered_content: z.string(),
  topic: z.string(),
  content_html_diff: z.string().optional(),
})
type HistoryEntry = z.output<typeof HistoryEntry>

export const getMessageHistory = defineRoute({
  id: 'get-message-history',
  method: 'GET',
  path: '/messages/{message_id}/history',
  summary: 'What a message was before each edit, oldest first',
  caller: 'user',
  params: {
    message_id: path(z.int()),
    allow_empty_topic_name: text(z.boolean().default(false)),
  },
  result: z.object({ message_history: z.array(HistoryEntry) }),
  run: (ctx, me, { message_id, allow_empty_topic_name }) => {
    const visibility = ctx.realm.settings.message_edit_history_visibility_policy
    if (visibility === 'none') {
      throw new BadRequestError('Message edit history is disabled in this organization')
    }
    assertMayRead(ctx, ctx.db, me, message_id)
    const message = messageToEdit(ctx.db, message_id)
    const edits = visibleHistory(message.edit_history, visibility)
    return {
      message_history: versions(message, edits).map((entry) =>
        message.channel_id === null ? entry : withShownTopics(entry, allow_empty_topic_name),
      ),
    }
  },
})

/** Goes back from what the message is now. @param edits newest first */
function versions(message: EditedMessage, edits: readonly EditHistoryEntry[]): HistoryEntry[] {
  let { content, rendered_content, topic } = message
  const entries: HistoryEntry[] = []
  for (const edit of edits) {
    const { prev_content, prev_rendered_content, prev_topic } = edit
    entries.push({
      ...edit,
      content,
      rendered_content,
      topic,
      ...(prev_rendered_content === undefined
        ? {}
        : { content_html_diff: diffHtml(prev_rendered_content, rendered_content) }),
    })
    content = prev_content ?? content
    rendered_content = prev_rendered_content ?? rendered_content
    topic = prev_topic ?? topic
  }
  const { timestamp, sender_id: user_id } = message
  return [...entries, { timestamp, user_id, content, rendered_content, topic }].reverse()
}
