import { v7 } from 'uuid'

/** The id of a new row: UUIDv7, so that later ids sort later and indexes stay dense. */
export function newId(): string {
  return v7()
}
