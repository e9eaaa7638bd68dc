import { isMore } from '@atrium/contract/money/money.ts'
import { type ComponentProps, useState } from 'react'
import { Amount } from './amount.tsx'
import parts from './moving-amount.module.css'

type Transaction = { amount: string | null | undefined; direction: 'up' | 'down' | null; count: number }

/** A live amount: a subtle tint shows each change and its direction. */
export function MovingAmount(props: ComponentProps<typeof Amount>) {
  const { amount } = props
  const [seen, setSeen] = useState<Transaction>({ amount, direction: null, count: 0 })
  if (seen.amount !== amount) setSeen(moved(seen, amount))
  return (
    // A new key restarts the animation.
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
