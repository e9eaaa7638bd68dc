import { IconCashBanknote } from '@tabler/icons-react'

export type Place = { label: string; to: string; icon: typeof IconCashBanknote }

/** Where the desk's work is. One idea, one icon. */
export const places: Place[] = [{ label: 'Deposits', to: '/deposits', icon: IconCashBanknote }]
