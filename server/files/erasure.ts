import type { Erasure } from '../foundation/erasure.ts'

export const filesErasure: Erasure = {
  tables: {
    media: {
      do: 'apart',
      where: 'erasure.ts: receipts are accounting records and lose their names, other files are removed',
    },
    uploads: { do: 'remove' },
  },
}
