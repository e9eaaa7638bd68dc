import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { offerProof } from '../../api/proof.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }))

/** Stands in the frame of each app; the dialog itself is fetched the first time that a proof is asked for. */
export function ProofProvider() {
  const [isOpen, setOpen] = useState(false)
  const [isNeeded, setNeeded] = useState(false)
  const answer = useRef<((proven: boolean) => void)[]>([])
  useEffect(
    () =>
      offerProof(() => {
        setNeeded(true)
        setOpen(true)
        // Several calls may ask at the same time: one proof answers them all.
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
