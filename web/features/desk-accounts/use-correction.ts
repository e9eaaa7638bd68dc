import { useState } from 'react'
import type { DeskAccount } from './use-accounts.ts'

/** The correction of an owner. It stays with the text typed in it when the member moves money meanwhile; the server then says so. */
export function useCorrection({ may_correct_owner }: Pick<DeskAccount, 'may_correct_owner'>) {
  const [isOpen, setOpen] = useState(false)
  return { isShown: may_correct_owner || isOpen, isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}
