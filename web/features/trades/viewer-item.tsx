import type { ReactNode } from 'react'
import parts from './viewer.module.css'

type ViewerItemProps = { name: string; moment: string; amount: ReactNode; about: ReactNode }

/** One row of the viewer's list: name, time, amount and status. */
export function ViewerItem({ name, moment, amount, about }: ViewerItemProps) {
  return (
    <>
      <span className={parts.name}>{name}</span>
      <span className={parts.amount}>{amount}</span>
      <span className={parts.moment}>{moment}</span>
      <span className={parts.about}>{about}</span>
    </>
  )
}
