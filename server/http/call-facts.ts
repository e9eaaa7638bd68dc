import type { Feature, Scope } from '@atrium/contract/access/scopes.ts'
import type { Access } from '@atrium/contract/call.ts'
import type { NotificationKind } from '@atrium/contract/notifications/calls.ts'

type Some<Item> = readonly [Item, ...Item[]]

/**
 * What only the server needs to know about a call, stated where its route is opened, so that the web does not load it. The walks of
 * `tests/every-call/` compare each fact with what the call does.
 */
export type CallFacts = {
  /** A member needs any of these. */
  scopes?: Some<Scope>
  /** Needed besides the feature of the scope: a member may see an account while its trades are off. */
  feature?: Feature
  /** Needed besides the scope: the permission of this one, whether its feature is on or not. */
  permission?: Scope
  /**
   * Open before any terms are accepted, even ones that block `all`: calls that a member needs to see who is signed in, to read and
   * accept terms, and to sign out.
   */
  beforeTerms?: true
  /** Open also while the user must still enrol a required second factor; every other call is refused. */
  whileEnrolling?: true
  /** The actions of the audit entries that it writes. */
  audit?: Some<string>
  /** Why it needs no audit entry. It writes to no tables but `touches`. */
  unaudited?: string
  touches?: readonly string[]
  /** A repeated request changes nothing more and notifies nobody. */
  idempotent?: true
  /** Why a repeated request is carried out again. */
  repeats?: string
  /** A repeated request notifies the member again. */
  notifiesAgain?: true
  /** Notifications that it sends to the member, each once and by mail too. */
  notifies?: Some<NotificationKind>
  duringErasure?: DuringErasure
  /** A valid request, without ids of rows that must exist first. */
  example?: object
  /**
   * Overrides whether it runs at once for a remembered person, as calls that write nothing do: true for a call that seldom writes, whose
   * transactions wait for the repeated proof; false for a read that locks rows, which needs a transaction each time.
   */
  early?: boolean
  /** The number of transactions, if more than one: before an external call, and after it. */
  commits?: number
}

/** Why a call may change rows of a member during their erasure. */
type DuringErasure =
  /** An erasure is refused while what it changes is pending. */
  | 'pending'
  /** It changes rows under their lock, and the erasure deletes them. */
  | 'deleted'
  /** It writes no personal data. */
  | 'impersonal'

type Must<Name extends keyof CallFacts> = Required<Pick<CallFacts, Name>>
type May<Name extends keyof CallFacts> = Pick<CallFacts, Name>
type OfMember = Must<'scopes'> & May<'feature' | 'permission' | 'beforeTerms'>
type Trace = Must<'audit'> | Must<'unaudited' | 'touches'>
type Repetition = Must<'idempotent'> | (Must<'repeats'> & May<'notifiesAgain'>)
type Change = Trace & Repetition & May<'notifies' | 'commits' | 'duringErasure'>

/** The facts that a call must state to compile: its access, its audit entries, and what a repetition does. */
export type FactsOf<Who extends Access, Method> = (['member'] extends [Who] ? OfMember : unknown) &
  (Who extends 'anyone' ? unknown : May<'whileEnrolling'>) &
  ([Method] extends ['GET'] ? Trace | { audit?: never; unaudited?: never } : Change)
