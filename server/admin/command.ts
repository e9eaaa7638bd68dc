import type { Config } from '../config.ts'
import type { Environment } from '../environment.ts'
import { type System, systemActor } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { findMemberId } from '../members/find-member.ts'
import { describeWorkspaces, type WorkspaceSummary } from './administration.ts'

/** A wrong call: exit code 2. */
export class UsageProblem extends Error {}
export type Answer = Record<string, unknown> | Record<string, unknown>[]

/** The check ran and found a problem: exit code 3. `found` is the answer it would otherwise have returned. */
export class Alarm extends Error {
  readonly found: Answer

  constructor(sentence: string, found: Answer) {
    super(sentence)
    this.found = found
  }
}

/** All options. A command accepts those that its `takes` names. */
export const optionNames = ['role', 'reason', 'head', 'to', 'password'] as const
export type Options = Partial<Record<(typeof optionNames)[number], string | undefined>>

/** The configuration with a database address, which may be that of a database started for this command. */
export type Place = Config & { databaseUrl: string }

export type Command = {
  /** The command as typed: `staff add`. */
  words: string
  /** Arguments: `<required>` and `[<optional>]`. The number of arguments is checked against it. */
  takes: string
  /** One line for the list of commands. */
  summary: string
  /** Further help, shown for this command alone. */
  more?: string
  /** A nested answer is always printed as JSON. */
  isNested?: boolean
  /** Whether the command may create the embedded database. Any other would report on an empty database as if all were well. */
  begins?(environment: Environment): boolean
} & (
  | { run(context: Context, args: string[], options: Options): Promise<Answer> }
  /** Runs before migrations and before a context is opened on the database. */
  | { runBefore(place: Place, args: string[], options: Options): Promise<Answer> }
  /** Runs without a database. */
  | { runWithout(config: Config, args: string[], options: Options): Promise<Answer> }
)

/** A count in plain digits, otherwise no number: `1e2` and `0x10` would be other counts than the typed text shows. */
export const countIn = (text = ''): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** The fewest and most arguments of a command, not counting options (`--role …`). */
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

/** The named workspace, or all of them. */
export async function workspacesOf(context: Context, subdomain: string | undefined): Promise<WorkspaceSummary[]> {
  return subdomain === undefined ? describeWorkspaces(context) : [await workspaceNamed(context, subdomain)]
}

export async function memberOf(system: System, who = ''): Promise<string> {
  const found = await findMemberId(system, who)
  if (!found) throw new UsageProblem(`There is no member ${who}.`)
  return found
}
