import { ApiError } from '../../http/errors.ts'

export class ReactionAlreadyExistsError extends ApiError {
  readonly code = 'REACTION_ALREADY_EXISTS'
  constructor() {
    super('Reaction already exists.')
  }
}

export class ReactionDoesNotExistError extends ApiError {
  readonly code = 'REACTION_DOES_NOT_EXIST'
  constructor() {
    super("Reaction doesn't exist.")
  }
}
