/** A file that came in one body with a form, and the field that it came for. */
export type ComingFile = { inputName: string; extension: string; sizeBytes: number }

/**
 * Files of one body by the ids that they have once they are kept. At first they are not: what they came with is judged before
 * anything of it is looked into and stored.
 */
export type Coming = { files: ReadonlyMap<string, ComingFile>; areKept: boolean }

/** Whoever judged what they came with would take it: these of its files are to be kept, and then it is asked again. */
export class FilesWanted extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super('files of a form are to be kept first')
    this.ids = ids
  }
}
