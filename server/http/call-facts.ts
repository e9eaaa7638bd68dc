import type { Feature, Scope } from '@atrium/contract/access/scopes.ts'
import type { Access } from '@atrium/contract/call.ts'
import type { NoticeKind } from '@atrium/contract/notifications/calls.ts'

type Some<Item> = readonly [Item, ...Item[]]

/**
 * What a call says about itself where its route is opened: all that only the server needs to know, so that the web does not
 * load it. The walks of `tests/every-call/` hold each fact to what the call does.
 */
export type CallFacts = {
  /** A member's call is open to whoever has any of these. */
  scopes?: Some<Scope>
  /** Needed beside the feature of the scope: an account may be open to its member while its trades are not. */
  feature?: Feature
  /**
   * No terms close it, not even ones that block `all`: what a member needs to know who is signed in, to read and accept
   * terms, and to leave.
   */
  beforeTerms?: true
  /** Open also to whoever has still to set up the second factor that the workspace requires; every other call is refused. */
  whileEnrolling?: true
  /** Actions of the audit entries that it records. */
  audit?: Some<string>
  /** Why nobody would ask later who did it. It writes to no other tables than `touches`. */
  unaudited?: string
  touches?: readonly string[]
  /** The same request again changes nothing more, and notifies nobody. */
  idempotent?: true
  /** Why the same request again is carried out again. */
  repeats?: string
  /** The member is notified of that again. */
  notifiesAgain?: true
  /** What its member is notified of, each once and by mail too. */
  notifies?: Some<NoticeKind>
  /** A good request, but for what names rows that have to be there first. */
  example?: object
  /** In how many transactions it commits, where one does not do: before an outside system is called, and after. */
  commits?: number
}

type Must<Name extends keyof CallFacts> = Required<Pick<CallFacts, Name>>
type May<Name extends keyof CallFacts> = Pick<CallFacts, Name>
type OfMember = Must<'scopes'> & May<'feature' | 'beforeTerms'>
type Trace = Must<'audit'> | Must<'unaudited' | 'touches'>
type Repetition = Must<'idempotent'> | (Must<'repeats'> & May<'notifiesAgain'>)
type Change = Trace & Repetition & May<'notifies' | 'commits'>

/** The facts that a call has to state before it compiles: who it is open to, its audit entries, and what it does when sent twice. */
export type FactsOf<Who extends Access, Method> = (['member'] extends [Who] ? OfMember : unknown) &
  (Who extends 'anyone' ? unknown : May<'whileEnrolling'>) &
  ([Method] extends ['GET'] ? Trace | { audit?: never; unaudited?: never } : Change)
