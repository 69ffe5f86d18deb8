import type { z } from 'zod'
import type { RequestContext } from '../context.ts'
import type { Me } from '../features/users/access.ts'
import type { AdminSession } from '../features/admin/sessions.ts'
import type { ApiError } from './errors.ts'
import type { Decoded, Params } from './params.ts'

/** Whom a route serves, and what its `run` is told of them. */
export interface Callers {
  /** An active user or bot of the realm, by HTTP Basic. */
  user: Me
  /** Anybody; where credentials are sent they must be right. */
  'user or nobody': Me | null
  /** Anybody, without credentials. */
  anyone: null
  /** The holder of the admin token or a signed-in administrator: routes under `/admin/api` only. */
  admin: AdminSession
  /** Anybody who reaches the admin page: signing in. */
  'admin page': AdminSession | null
}

export interface RouteDeclaration<
  Caller extends keyof Callers,
  P extends Params,
  Result extends z.ZodObject,
> {
  /** Unique, verb first, as in the address of its documentation. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, or below `/admin/api` for the callers of the admin page. Parameters stand in braces. */
  path: string
  summary: string
  caller: Caller
  /** Incoming webhook bots may use it; they may do nothing else. */
  forWebhookBots?: true
  params: P
  /** The body of a success beyond `result` and `msg`. */
  result: Result
  run: (
    ctx: RequestContext,
    me: Callers[Caller],
    params: Decoded<P>,
  ) => Reply<z.input<Result>> | Promise<Reply<z.input<Result>>>
}

type Reply<Body> = Body | JsonMembers | LaterReply

/** Members of a reply's body that are JSON already, such as events on their way to many queues. */
export class JsonMembers {
  /** @param text such as `"events":[…],"queue_id":"…"` */
  constructor(readonly text: string) {}
}

/** A reply that comes with what is yet to happen. Until then nothing else of the request is kept. */
export class LaterReply {
  /** @param begin is handed what sends the reply: its members, or the error that it is */
  constructor(readonly begin: (reply: (outcome: JsonMembers | ApiError) => void) => void) {}
}

/** A value inside a reply's body that is JSON already, such as everybody of a large organization. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Where it is written like any other value it is the same, and only slower. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** A body of which some members are JSON already. */
export function jsonMembers(body: object): JsonMembers {
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    const text = value instanceof JsonText ? value.text : JSON.stringify(value)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return new JsonMembers(members.join(','))
}

/** A declared route with its types forgotten, as the registry keeps it. */
export interface Route extends Omit<RouteDeclaration<keyof Callers, Params, z.ZodObject>, 'run'> {
  run: (ctx: RequestContext, me: never, params: never) => unknown
}

/**
 * Declares an operation. The one object gives the types in `run`, validation, documentation, and
 * `ignored_parameters_unsupported` for whatever was sent and not declared.
 */
export function defineRoute<Caller extends keyof Callers, P extends Params, Result extends z.ZodObject>(
  declaration: RouteDeclaration<Caller, P, Result>,
): Route {
  return declaration as unknown as Route
}
