import { ApiError } from '../../http/errors.ts'

/** Some of the messages to be moved are older than the organization lets this user move. */
export class MoveTimeLimitExceededError extends ApiError {
  readonly code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
  override readonly data: {
    first_message_id_allowed_to_move: number | null
    total_messages_in_topic: number
    total_messages_allowed_to_move: number
  }
  /**
   * @param inTopic ids of the messages of the topic that the user may read
   * @param allowed those among them that the user may move, ascending
   */
  constructor(inTopic: readonly number[], allowed: readonly number[]) {
    super('You only have permission to move the newer messages of this topic')
    this.data = {
      first_message_id_allowed_to_move: allowed[0] ?? null,
      total_messages_in_topic: inTopic.length,
      total_messages_allowed_to_move: allowed.length,
    }
  }
}

/** Takes a permission that by default only administrators have. */
export class UnauthorizedPrincipalError extends ApiError {
  readonly code = 'UNAUTHORIZED_PRINCIPAL'
  constructor() {
    super('Must be an organization administrator')
  }
}

/** The channel has many subscribers, and the sender may not mention so many at once. */
export class StreamWildcardMentionNotAllowedError extends ApiError {
  readonly code = 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'
  constructor() {
    super('You do not have permission to use channel wildcard mentions in this channel.')
  }
}

/** {@link StreamWildcardMentionNotAllowedError}, of a topic in which many take part. */
export class TopicWildcardMentionNotAllowedError extends ApiError {
  readonly code = 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'
  constructor() {
    super('You do not have permission to use topic wildcard mentions in this topic.')
  }
}
