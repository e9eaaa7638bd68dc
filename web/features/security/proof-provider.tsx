import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { offerProof } from '../../api/proof.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }))

/** Mounted in the frame of each app; the dialog is loaded when a step-up is first required. */
export function ProofProvider() {
  const [isOpen, setOpen] = useState(false)
  const [isNeeded, setNeeded] = useState(false)
  const answer = useRef<((proven: boolean) => void)[]>([])
  useEffect(
    () =>
      offerProof(() => {
        setNeeded(true)
        setOpen(true)
        // Concurrent calls share one step-up.
        return new Promise((resolve) => {
          answer.current.push(resolve)
        })
      }),
    [],
  )
  const settle = (proven: boolean) => {
    setOpen(false)
    for (const resolve of answer.current.splice(0)) resolve(proven)
  }
  if (!isNeeded) return null
  return (
    <Suspense fallback={null}>
      <ProofDialog isOpen={isOpen} onSettle={settle} />
    </Suspense>
  )
}
