import type { Config } from '../config.ts'
import type { Environment } from '../environment.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { findMemberId } from '../members/find-member.ts'
import { describeWorkspaces, type WorkspaceSummary } from './administration.ts'

/** Called wrongly: the program ends with 2. */
export class UsageProblem extends Error {}
export type Answer = Record<string, unknown> | Record<string, unknown>[]

/** It was looked, and what was found is not well: the program ends with 3. `found` is what it would have answered otherwise. */
export class Alarm extends Error {
  readonly found: Answer

  constructor(sentence: string, found: Answer) {
    super(sentence)
    this.found = found
  }
}

/** A command takes those that stand in its `takes`. */
export const optionNames = ['role', 'reason', 'head', 'to', 'password'] as const
export type Options = Partial<Record<(typeof optionNames)[number], string | undefined>>

/** The settings with an address of the database in any case, also of the one that was started for this. */
export type Place = Config & { databaseUrl: string }

export type Command = {
  /** What is typed: `staff add`. */
  words: string
  /** What comes behind, required in `<>` and optional in `[<>]`; the number of words is held against it. */
  takes: string
  /** One line for the list of all. */
  says: string
  /** More, for whoever asks for help with this one. */
  more?: string
  /** Nested as it is, the answer can only be read as JSON. */
  isNested?: boolean
  /** Whether it makes the program's own database where none was ever made. All others would find it empty, and nothing wrong. */
  begins?(environment: Environment): boolean
} & (
  | { run(context: Context, args: string[], options: Options): Promise<Answer> }
  /** For what must find the database as it is, before anything was brought up to date or opened on it. */
  | { runBefore(place: Place, args: string[], options: Options): Promise<Answer> }
  /** For what looks at no database. */
  | { runWithout(config: Config, args: string[], options: Options): Promise<Answer> }
)

/** How many words a command takes, at least and at most; options (`--role …`) are not among them. */
export function countOf({ takes }: Command): { min: number; max: number } {
  const words = takes.replace(/\[?--.*$/, '')
  const max = words.match(/<[^>]+>/g)?.length ?? 0
  const optional = words.match(/\[<[^>]+>\]/g)?.length ?? 0
  return { min: max - optional, max }
}

export async function workspaceOf(context: Context, subdomain = ''): Promise<System> {
  return systemActor(context, (await workspaceNamed(context, subdomain)).workspace_id)
}

export async function workspaceNamed(context: Context, subdomain: string): Promise<WorkspaceSummary> {
  const found = (await describeWorkspaces(context)).find((each) => each.subdomain === subdomain)
  if (!found) throw new UsageProblem(`There is no workspace ${subdomain}.`)
  return found
}

/** The one that was named, or all. */
export async function workspacesOf(context: Context, subdomain: string | undefined): Promise<WorkspaceSummary[]> {
  return subdomain === undefined ? describeWorkspaces(context) : [await workspaceNamed(context, subdomain)]
}

export async function memberOf(system: System, who = ''): Promise<string> {
  const found = await findMemberId(system, who)
  if (!found) throw new UsageProblem(`There is no member ${who}.`)
  return found
}
