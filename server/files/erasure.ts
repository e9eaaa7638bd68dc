import type { Erasure } from '../foundation/erasure.ts'

export const filesErasure: Erasure = {
  tables: {
    media: { do: 'apart', where: 'erasure.ts: receipts are proof of the books and lose their names, other files go' },
    uploads: { do: 'remove' },
  },
}
