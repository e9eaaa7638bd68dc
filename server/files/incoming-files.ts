/** A file sent in one body with a form, and the form field it belongs to. */
export type IncomingFile = { inputName: string; extension: string; sizeBytes: number }

/**
 * The files of one body by their future ids. They are not stored at first: the form is validated before any file is inspected and
 * stored.
 */
export type IncomingFiles = { files: ReadonlyMap<string, IncomingFile>; arePrepared: boolean }

/** Thrown when the form is valid and needs these files: the caller stores them and runs the call again. */
export class FilesWanted extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super('files of a form are to be kept first')
    this.ids = ids
  }
}
