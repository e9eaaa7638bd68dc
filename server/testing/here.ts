import { sql } from 'kysely'

/** What tests ask through the program's own connections says its workspace too: the log cannot tell them apart. */
export const here = sql<boolean>`workspace_id = scope_workspace()`
