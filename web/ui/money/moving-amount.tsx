import { isMore } from '@atrium/contract/money/money.ts'
import { type ComponentProps, useState } from 'react'
import { Amount } from './amount.tsx'
import parts from './moving-amount.module.css'

type Transaction = { amount: string | null | undefined; direction: 'up' | 'down' | null; count: number }

/** A figure that changes while it is looked at: a quiet tint says that it did, and which way. */
export function MovingAmount(props: ComponentProps<typeof Amount>) {
  const { amount } = props
  const [seen, setSeen] = useState<Transaction>({ amount, direction: null, count: 0 })
  if (seen.amount !== amount) setSeen(moved(seen, amount))
  return (
    // Another key plays the tint again.
    <span key={seen.count} className={`${parts.moving} ${seen.direction ? parts[seen.direction] : ''}`}>
      <Amount {...props} />
    </span>
  )
}

function moved(before: Transaction, amount: Transaction['amount']): Transaction {
  if (before.amount == null || amount == null) return { ...before, amount, direction: null }
  if (isMore(amount, before.amount)) return { amount, direction: 'up', count: before.count + 1 }
  if (isMore(before.amount, amount)) return { amount, direction: 'down', count: before.count + 1 }
  return { ...before, amount }
}
