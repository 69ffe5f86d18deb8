import { deleteMessage } from './delete-message.ts'
import { deleteTopic } from './delete-topic.ts'
import { getMessageHistory } from './get-message-history.ts'
import { editMessage } from './edit-message.ts'
import { getMessage } from './get-message.ts'
import { getMessages } from './get-messages.ts'
import { getReadReceipts } from './get-read-receipts.ts'
import { markAllAsRead, markChannelAsRead, markTopicAsRead } from './mark-as-read.ts'
import { matchesNarrow } from './matches-narrow.ts'
import { renderMessage } from './render-message.ts'
import { sendMessage } from './send-message.ts'
import { setTyping, setTypingEdit } from './typing.ts'
import { updateFlags } from './update-flags.ts'
import { updateFlagsForNarrow } from './update-flags-for-narrow.ts'

export const messageRoutes = [
  sendMessage,
  getMessages,
  matchesNarrow,
  getMessage,
  editMessage,
  deleteMessage,
  deleteTopic,
  getMessageHistory,
  renderMessage,
  setTyping,
  setTypingEdit,
  updateFlags,
  updateFlagsForNarrow,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  getReadReceipts,
]
