import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Access, Call } from '@atrium/contract/call.ts'
import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { describeInputProblem } from '@atrium/contract/input-problems.ts'
import { amountFieldsOf } from '@atrium/contract/money/typed-amount.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { termsHeader } from '@atrium/contract/terms/header.ts'
import { texts } from '@atrium/contract/texts.ts'
import { parseWithUnknown } from '@atrium/contract/unknown-values.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { IncomingFiles } from '../files/incoming-files.ts'
import {
  authorizeBeforeTerms,
  authorizeFeature,
  authorizePermission,
  authorizeStaff,
  type Member,
  type Staff,
  type System,
  termsBlocking,
} from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { errorsByField, refuse, refuseFields } from '../foundation/errors.ts'
import { type Body, objectOf } from '../foundation/form-fields.ts'
import { spelledFields } from '../foundation/json.ts'
import { digestOf } from '../foundation/pending-terms.ts'
import { sortedJson } from '../foundation/sorted-json.ts'
import { needsProof } from '../money-decisions/policy.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { recallMember, recallStaff } from '../sessions/session-proof.ts'
import { readPendingTerms } from '../terms/queries.ts'
import { proveMember, proveStaff, proveWorkspace, refuseUnproven, runForRecalled } from './authenticate.ts'
import type { CallFacts, FactsOf } from './call-facts.ts'
import { readFormValue, readJsonValue } from './form-values.ts'
import { normalizeIds } from './normalize-ids.ts'
import { whileAllowed } from './table-access.ts'
import { fieldsOf, readFields, refuseForeignForm, UrlEncoded } from './url-encoded.ts'

type ActorOf<Who extends Access> = Who extends 'member' ? Member : Who extends 'staff' ? Staff : System
export type Exchange = { request: FastifyRequest; reply: FastifyReply }
/** A call sent as a form has its files beside its input. */
type Called = Exchange & { coming?: IncomingFiles }
export type Handler<Input extends z.ZodType, Answer extends z.ZodType, Who extends Access> = (
  actor: ActorOf<Who>,
  input: z.output<Input>,
  exchange: Called,
) => Promise<Unsaid<z.input<Answer>>>
/** The route adds the status `ok`; a handler returns any other status itself. */
type Unsaid<Answer> = Answer extends { status: 'ok' } ? Omit<Answer, 'status'> : Answer
declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call of a route, for readers of the route table; absent for pages, files and the query endpoint. */
    call?: Call
    facts?: CallFacts
    /** Runs at once for a remembered person. */
    isEarly?: boolean
  }
}

/** Reads a form and calls `answer` without its files, and again with them if it needs them. */
export type TakeForm<Who> = (
  actor: Who,
  exchange: Exchange,
  answer: (body: object, coming: IncomingFiles) => Promise<object>,
) => Promise<object>

type Options<Who extends Access = Access> = {
  /** The handler reads the multipart body as a stream; the call's input is in the URL. */
  body?: 'multipart'
  /** The call takes files with its input as multipart: this turns the form into JSON, after access is granted. */
  takeForm?: TakeForm<ActorOf<Who>>
  /** Converts input in the notation of the specification's client to that of the call. */
  respell?: Respell<ActorOf<Who>>
  /** Further errors for input that the schema refuses, so that all are reported together. Gets the valid fields only. */
  validate?: (actor: ActorOf<Who>, readable: Record<string, unknown>) => Promise<FieldErrors>
}

/** The facts of a call with its handler. A call without facts may be the handler alone. */
type Route<Input extends z.ZodType, Answer extends z.ZodType, Who extends Access, Method> =
  | (FactsOf<Who, Method> &
      Options<Who> &
      Pick<CallFacts, 'early'> & { example?: Partial<z.input<Input>>; handler: Handler<Input, Answer, Who> })
  | (['member'] extends [Who] ? never : [Method] extends ['GET'] ? Handler<Input, Answer, Who> : never)

type Respell<Who> = (body: Body, actor: Who) => Body | Promise<Body>

/**
 * Opens one call of the contract: finds the workspace, proves the actor, checks scope, parses the input, runs the operation, and
 * returns only what the contract's answer names. The handler returns the answer without `status`.
 */
export function open<
  Input extends z.ZodType,
  Answer extends z.ZodType,
  Who extends Access,
  Method extends 'GET' | 'POST',
>(
  app: FastifyInstance,
  context: Context,
  call: Call<Input, Answer, Who, Method>,
  route: Route<Input, Answer, Who, Method>,
): void {
  const { handler, ...options } = (typeof route === 'function' ? { handler: route } : route) as Options<Who> &
    CallFacts & { handler: Handler<Input, Answer, Who> }
  const isEarly = mayRunEarly(call, options)
  app.route({
    method: call.method,
    url: call.path,
    config: { call, facts: options, isEarly },
    handler: async (request, reply) => {
      const run = async (actor: ActorOf<Who>, exchange: Exchange): Promise<unknown> => {
        await checkAccess(actor, call, options)
        const read = (sent: Sent) => readInput(call, sent, { actor, request, options })
        const answerOnce = (input: z.output<Input>) => handler(withDecision(actor, call, input), input, exchange)
        const answerTo = async (body: object, coming: IncomingFiles) =>
          (await handler(actor, await read({ body, isForm: true }), { ...exchange, coming })) as object
        const answer =
          options.takeForm && request.isMultipart()
            ? await options.takeForm(actor, exchange, answerTo)
            : await answerOnce(await read(await takeSent(context, call, request, options)))
        return answerOf(context, call, answer)
      }
      const system = await proveWorkspace(context, request)
      const early = isEarly ? await runEarly(system, request, { call, run }) : null
      if (early) announceTerms(early.actor, reply)
      if (early) return early.give()
      const actor = await proveActor(system, request, call, options)
      announceTerms(actor, reply)
      return run(actor as ActorOf<Who>, { request, reply })
    },
  })
}

/** Only what the contract's answer names; a state that a process of the next version wrote is sent as it is. */
function answerOf<Answer extends z.ZodType>({ log }: Context, call: Call<z.ZodType, Answer>, answer: unknown) {
  const parsed = parseWithUnknown(call.answer, { status: 'ok', ...(answer as object) })
  if (!parsed.success) throw parsed.error
  const { unknown } = parsed
  if (unknown.length > 0)
    log.error({ call: call.path, values: unknown.map((place) => place.join('.')) }, 'an answer has an unknown value')
  return parsed.data
}

type Opened<Who extends Access> = {
  call: Call
  run(actor: ActorOf<Who>, exchange: Exchange): Promise<unknown>
}

/** Runs a call for the person remembered for its token, if there is one (decision 0069). */
async function runEarly<Who extends Access>(system: System, request: FastifyRequest, { call, run }: Opened<Who>) {
  // The body of a multipart form can be read only once.
  if (request.isMultipart()) return null
  const recall = call.access === 'member' ? recallMember : recallStaff
  return runForRecalled<Member | Staff, unknown>(
    request,
    (token) => recall(system, token),
    (actor) => run(actor as ActorOf<Who>, withoutReply(request)),
  )
}

/** A call that writes nothing, or that says it may run early. */
function mayRunEarly({ access, method }: Call, { audit, touches, early }: CallFacts): boolean {
  if (access === 'anyone') return false
  const isReading = !audit && (touches ? touches.length === 0 : method === 'GET')
  return early ?? isReading
}

/** Nothing may be set on the reply before the proof. */
const withoutReply = (request: FastifyRequest): Exchange => ({
  request,
  get reply(): FastifyReply {
    throw new Error('A call that runs early has no reply.')
  },
})

/** Attaches the form's idempotency key to a decision about money, so that a repeated one is recognised. */
function withDecision<Of>(actor: Of, call: Call, input: unknown): Of {
  const { idempotency_key: key, ...body } = (input ?? {}) as Record<string, unknown>
  if (!call.decides || typeof key !== 'string') return actor
  const bodyHash = createHash('sha256')
    .update(sortedJson([call.path, body]))
    .digest()
  return { ...actor, decision: { key, bodyHash } }
}

/** The access checks of a call for requests that belong to it, such as resumable uploads to the upload call. */
export async function proveFor(
  context: Context,
  call: Call<z.ZodType, z.ZodType, 'member'>,
  facts: FactsOf<'member', 'GET'>,
  { request, reply }: Exchange,
): Promise<Member> {
  const member = (await proveActor(await proveWorkspace(context, request), request, call, facts)) as Member
  await letIn(member, call, facts, reply)
  return member
}

/** A CSV table unless `type` says otherwise. */
type Table = { name: string; type?: string; lines: AsyncIterable<string | Uint8Array> }

export type TableHandler<Input extends z.ZodType, Who extends Access> = {
  handler(actor: ActorOf<Who>, input: z.output<Input>): Promise<Table>
}
/** An export by staff always writes an audit entry, and needs a fresh proof of identity. */
type TableRoute<Input extends z.ZodType, Who extends Access, Method> = FactsOf<Who, Method> &
  (['staff'] extends [Who] ? Required<Pick<CallFacts, 'audit'>> : unknown) &
  TableHandler<Input, Who>

/**
 * Opens a call that streams a table for spreadsheets while it is read, so that it is never whole in memory. A refusal is JSON as for
 * other calls, since nothing was sent yet.
 */
export function openTable<
  Input extends z.ZodType,
  Answer extends z.ZodType,
  Who extends 'staff' | 'member',
  Method extends 'GET' | 'POST',
>(
  app: FastifyInstance,
  context: Context,
  call: Call<Input, Answer, Who, Method>,
  route: TableRoute<Input, Who, Method>,
): void {
  const { handler, ...facts } = route as CallFacts & TableHandler<Input, Who>
  app.route({
    method: call.method,
    url: call.path,
    config: { call, facts },
    handler: async (request, reply) => {
      const system = await proveWorkspace(context, request)
      const prove = () => proveActor(system, request, call, facts)
      const actor = (await prove()) as ActorOf<Who>
      await letIn(actor, call, facts, reply)
      const sent = await takeSent(context, call, request)
      const input = await readInput(call, sent, { actor, request })
      if (actor.kind === 'staff') await refuseUnattended(actor)
      const { name, type, lines } = await handler(actor, input)
      reply
        .header('content-type', type ?? 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store')
      const check = async () => checkAccess(await prove(), call, facts)
      return reply.send(Readable.from(whileAllowed(lines, context.clock, check)))
    },
  })
}

/** An unattended session must not give away the data of a whole list, change what all members see, or move money. */
export function refuseUnattended(staff: Staff): Promise<void> {
  return inTransaction(staff, (tx) => requireProof(tx, staff))
}

async function letIn(actor: Member | Staff | System, call: Call, facts: CallFacts, reply: FastifyReply): Promise<void> {
  announceTerms(actor, reply)
  await checkAccess(actor, call, facts)
}

/** Every answer to a member reports pending terms in a header. */
function announceTerms(actor: Member | Staff | System, reply: FastifyReply): void {
  if (actor.kind === 'member' && !actor.mustEnrol) sendTermsDigest(actor, reply)
}

async function checkAccess(actor: Member | Staff | System, call: Call, facts: CallFacts): Promise<void> {
  // The second factor comes before terms, since each would otherwise wait for the other.
  if (actor.kind === 'member' && !actor.mustEnrol) await admit(actor, facts)
  if (actor.kind === 'staff') authorizeStaff(actor, call.right)
  if (actor.kind === 'staff' && needsProof(call.decides)) await refuseUnattended(actor)
}

type Events<Input extends z.ZodType, Answer extends z.ZodType> = {
  once: Handler<Input, Answer, 'member'>
  follow(member: Member, input: z.output<Input>, exchange: Exchange): Promise<Readable>
}

/**
 * Opens a call that streams events to clients that accept `text/event-stream`, and answers others once. The access checks are the
 * same; `follow` must check that access remains.
 */
export function openEvents<Input extends z.ZodType, Answer extends z.ZodType>(
  app: FastifyInstance,
  context: Context,
  call: Call<Input, Answer, 'member', 'GET'>,
  { once, follow, ...facts }: FactsOf<'member', 'GET'> & Events<Input, Answer>,
): void {
  app.route({
    method: call.method,
    url: call.path,
    config: { call, facts },
    handler: async (request, reply) => {
      const member = (await proveActor(await proveWorkspace(context, request), request, call, facts)) as Member
      sendTermsDigest(member, reply)
      await admit(member, facts)
      const input = await readInput(call, await takeSent(context, call, request), { actor: member, request })
      if (!followsEvents(request)) return answerOf(context, call, await once(member, input, { request, reply }))
      const events = await follow(member, input, { request, reply })
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        // No proxy may store, compress or buffer it.
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no')
      return reply.send(events)
    },
  })
}

/** Excludes HEAD, which Fastify adds to every GET and whose stream would never end. */
const followsEvents = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').toLowerCase().includes('text/event-stream')

/** A call that pending terms block is refused with their text. */
async function admit(member: Member, facts: CallFacts): Promise<void> {
  authorizeFeature(member, facts.feature)
  const open = authorizeBeforeTerms(member, ...(facts.scopes ?? []))
  authorizePermission(member, facts.permission)
  if (facts.beforeTerms || termsBlocking(member, open).length === 0) return
  refuse('terms_required', sessionTexts.termsRequired, { terms: await readPendingTerms(member) })
}

export function sendTermsDigest(member: Member, reply: FastifyReply): void {
  reply.header(termsHeader, digestOf(member.terms))
}

async function proveActor(
  system: System,
  request: FastifyRequest,
  call: Call,
  facts: CallFacts,
): Promise<Member | Staff | System> {
  if (call.access === 'anyone') return system
  const mayEnrol = facts.whileEnrolling ?? false
  const prove = call.access === 'member' ? proveMember : proveStaff
  const actor = await prove(system, request, { mayEnrol })
  return actor ?? refuseUnproven(system, request, call.access)
}

/** The body, and whether it is a form, in which every value is text. */
type Sent = { body: unknown; isForm: boolean }

async function takeSent(
  context: Context,
  call: Call,
  request: FastifyRequest,
  options: Pick<Options, 'body'> = {},
): Promise<Sent> {
  const { body } = request
  const isMultipart = request.isMultipart() ?? false
  if (options.body === 'multipart') {
    if (!isMultipart) refuse('unsupported_type', 'This kind of content is not accepted.')
    return { body: request.query, isForm: false }
  }
  if (!isMultipart && !(body instanceof UrlEncoded))
    return { body: call.method === 'GET' ? request.query : (body ?? {}), isForm: false }
  await refuseForeignForm(context, request)
  return { body: objectOf(body instanceof UrlEncoded ? fieldsOf(body) : await readFields(request)), isForm: true }
}

type Reading<Who extends Access> = { actor: ActorOf<Who>; request: FastifyRequest; options?: Options<Who> }

async function readInput<Input extends z.ZodType, Who extends Access>(
  call: Call<Input, z.ZodType, Who>,
  { body, isForm }: Sent,
  { actor, request, options = {} }: Reading<Who>,
): Promise<z.output<Input>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) refuse('malformed', 'An object is expected.')
  const places = request.params as Record<string, unknown>
  const spelled = { ...body, ...spelledFields(body, amountFieldsOf(call.input)), ...places }
  const named = (await options.respell?.(spelled, actor)) ?? spelled
  const read = isForm ? readFormValue : readJsonValue
  const raw = normalizeIds(call.input, read(call.input, named))
  const parsed = call.input.safeParse(raw, { error: describeInputProblem })
  if (!parsed.success) {
    const errors = errorsByField(parsed.error.issues)
    const more = await options.validate?.(actor, readableOf(call.input, raw as Body))
    refuseFields({ ...errors, ...more, ...errors })
  }
  const data = parsed.data as Record<string, unknown>
  const unstorable = Object.keys(data).filter((name) => holdsUnstorable(data[name]))
  if (unstorable.length > 0) refuseFields(Object.fromEntries(unstorable.map((name) => [name, [texts.textUnreadable]])))
  return parsed.data
}

/** The fields of an input that are valid on their own. */
function readableOf(input: z.ZodType, raw: Body): Record<string, unknown> {
  if (!(input instanceof z.ZodObject)) return {}
  const read = Object.entries<z.ZodType>(input.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(raw[name])
    return parsed.success && parsed.data !== undefined && !holdsUnstorable(parsed.data) ? [[name, parsed.data]] : []
  })
  return Object.fromEntries(read)
}

/** PostgreSQL text cannot store NUL, and a lone surrogate would come back as a question mark, so both are refused. */
export function holdsUnstorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null || depth > 20) return false
  return Object.entries(value).some(([key, inner]) => holdsUnstorable(key) || holdsUnstorable(inner, depth + 1))
}
