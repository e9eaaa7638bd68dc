import { useEffect, useRef, useState } from 'react'
import { offerProof } from '../../api/proof.ts'
import { notifyMissing } from '../../ui/lazy/lazy.tsx'
import { usePart } from '../../ui/lazy/use-part.ts'

const proofDialog = async () => (await import('./proof-dialog.tsx')).ProofDialog

/** Mounted in the frame of each app; the dialog is loaded when a step-up is first required. */
export function ProofProvider() {
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<((proven: boolean) => void)[]>([])
  useEffect(
    () =>
      offerProof(() => {
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
  // Without the dialog the call is refused, and the form keeps its input.
  const onMissing = () => {
    settle(false)
    notifyMissing()
  }
  const ProofDialog = usePart(proofDialog, { isAsked: isOpen, onMissing })
  return ProofDialog && <ProofDialog isOpen={isOpen} onSettle={settle} />
}
