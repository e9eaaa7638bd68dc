import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
  visit,
} from 'graphql'
import { createHandler, type OperationArgs, type RequestParams, type Response } from 'graphql-http'
import type { Member } from './foundation/actor.ts'
import type { Context } from './foundation/context.ts'
import { readAppVersion } from './graphql/app-version.ts'
import { executeCompiled } from './graphql/compiled.ts'
import { type GraphContext, makeContext } from './graphql/context.ts'
import { makeErrorFormat } from './graphql/errors.ts'
import { type KnownDocument, type KnownDocuments, rememberDocuments } from './graphql/known-documents.ts'
import { brokenLimit, graphLimits, type LimitName, measureDocument } from './graphql/limits.ts'
import { isForm, readFields, readPosted, readPostedForm, spellAmounts } from './graphql/transport.ts'
import { proveMember, proveWorkspace, refuseUnproven, runForRecalled } from './http/authenticate.ts'
import { holdsUnstorable, sendTermsDigest } from './http/route.ts'
import { describeProblem } from './observability/log.ts'
import { schema } from './schema.ts'
import { recallMember } from './sessions/session-proof.ts'

type Prepared = OperationArgs<GraphContext> | readonly GraphQLError[] | Response

/**
 * The members' query endpoint (contract/schema.graphql), without mutations. Proves the member by the bearer token
 * alone, since browsers send cookies by themselves.
 */
export function openGraph(app: FastifyInstance, context: Context): void {
  const version = readAppVersion(context.config.webDirectory)
  const documents = rememberDocuments()
  app.register(async (scope) => {
    // graphql-http reads bodies itself, so that wrong types and invalid JSON get the answers of its specification.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.route({
      method: ['GET', 'POST'],
      url: '/graph',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        reply.header('x-app-version', version)
        const system = await proveWorkspace(context, request)
        const run = (member: Member) => answer(member, documents, request)
        const recalled = await runForRecalled(request, (token) => recallMember(system, token), run)
        const member = recalled?.actor ?? (await proveMember(system, request))
        if (!member) return refuseUnproven(system, request)
        sendTermsDigest(member, reply)
        return send(request, reply, recalled ? recalled.give() : await run(member))
      },
    })
  })
}

/** `faults` are logged once the member is proven, since they are part of the answer. */
type Answered = { response: Response; faults: readonly unknown[] }

function send(request: FastifyRequest, reply: FastifyReply, { response, faults }: Answered): FastifyReply {
  for (const problem of faults) request.log.error({ err: describeProblem(problem) }, 'fault')
  const [body, init] = response
  return reply
    .code(init.status)
    .headers(init.headers ?? {})
    .send(body)
}

type Asked = { documents: KnownDocuments; context: GraphContext }

async function answer(member: Member, documents: KnownDocuments, request: FastifyRequest): Promise<Answered> {
  const context = makeContext(member)
  const faults: unknown[] = []
  const handle = createHandler<FastifyRequest, undefined, GraphContext>({
    parseRequestParams: () => paramsOf(request),
    onSubscribe: (_request, params) => prepare({ documents, context }, params),
    execute: executeCompiled,
    onOperation: (_request, _args, result) => written({ ...result, extra: context.counts }, request),
    formatError: makeErrorFormat((problem) => faults.push(problem)),
  })
  const response = await handle({
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: () => (typeof request.body === 'string' ? readPosted(request.body) : ''),
    raw: request,
    context: undefined,
  })
  return { response, faults }
}

const sentAsJson = {
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'application/json; charset=utf-8' },
}

/** Without errors it is plain data, for which the library would call a function per value. */
function written<Result extends object>(result: Result, { headers }: FastifyRequest): Result | Response {
  const isPlain = !('errors' in result) && !headers.accept?.toLowerCase().includes('graphql-response')
  return isPlain ? [JSON.stringify(result), sentAsJson] : result
}

/** Reads requests that are not JSON; graphql-http reads JSON and answers invalid JSON. */
function paramsOf(request: FastifyRequest): RequestParams | undefined {
  if (request.method === 'GET') return readFields(request.query as Record<string, unknown>)
  return isForm(request) ? readPostedForm(String(request.body)) : undefined
}

/** All checks of a document before it runs. */
function prepare(asked: Asked, params: RequestParams): Prepared {
  // Some clients send an empty name for none.
  const { query, variables = {}, operationName } = params
  const known = asked.documents.find(query)
  const variablesText = JSON.stringify(variables ?? {})
  const tooLong = tooLongOf(query, variablesText, known)
  if (tooLong) return refuseLimit(tooLong)
  const document = known?.document ?? parseOrError(query)
  if (document instanceof GraphQLError) return [document]
  const measure = (): LimitName | null => tooMuchOf(document, variables ?? {})
  const broken = known ? known.measured(variablesText, measure) : measure()
  if (broken) return refuseLimit(broken)
  if (holdsUnstorable(variables) || (!known && holdsUnstorableLiteral(document)))
    return refuseDocument('malformed', 'A text contains a character that cannot be stored.')
  const { production } = asked.context.member.context.config
  if (!known) {
    const rules = production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules
    const errors = validate(schema, document, rules, { maxErrors: 20, hideSuggestions: production })
    if (errors.length > 0) return errors
    asked.documents.keep(query, document)
  }
  const variableValues = spellAmounts(document, variables ?? {})
  const of = { schema, document, contextValue: asked.context, hideSuggestions: production }
  return { ...of, variableValues, ...(operationName && { operationName }) }
}

function tooLongOf(query: string, variablesText: string, known: KnownDocument | undefined): LimitName | null {
  if (Buffer.byteLength(variablesText) > graphLimits.variablesBytes) return 'variablesBytes'
  // A known document was within both limits when it was remembered.
  if (known) return null
  if (Buffer.byteLength(query) > graphLimits.textBytes) return 'textBytes'
  return hasTooManyTokens(query) ? 'tokens' : null
}

/** Counts before parsing, since the parser's own limit looks like a syntax error. */
function hasTooManyTokens(query: string): boolean {
  const lexer = new Lexer(new Source(query))
  try {
    for (let count = 0; count <= graphLimits.tokens; count += 1) {
      if (lexer.advance().kind === TokenKind.EOF) return false
    }
  } catch (problem) {
    // The parser fails at the same character next and reports its position.
    if (problem instanceof GraphQLError) return false
    throw problem
  }
  return true
}

function parseOrError(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query, { maxTokens: graphLimits.tokens })
  } catch (problem) {
    if (problem instanceof GraphQLError) return problem
    throw problem
  }
}

function tooMuchOf(document: DocumentNode, variables: Record<string, unknown>): LimitName | null {
  // A query holds no type definitions; they count as operations, of which one is allowed.
  const operations = document.definitions.filter((node) => node.kind !== Kind.FRAGMENT_DEFINITION)
  if (operations.length > graphLimits.operations) return 'operations'
  const measures = measureDocument({ document, schema, variables })
  return measures ? brokenLimit(measures) : 'depth'
}

function holdsUnstorableLiteral(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    StringValue(node) {
      found ||= holdsUnstorable(node.value)
    },
  })
  return found
}

function refuseLimit(limit: LimitName): Response {
  return refuseDocument('too_expensive', `This query is too expensive (${limit}, at most ${graphLimits[limit]}).`)
}

function refuseDocument(code: string, message: string): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] })
  return [body, { status: 400, statusText: 'Bad Request', headers }]
}
