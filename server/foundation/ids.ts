import { v7 } from 'uuid'

/** A new row's id: UUIDv7, so that ids made later sort later and indexes stay dense. */
export function newId(): string {
  return v7()
}
