import { type ComponentType, useEffect, useRef, useState } from 'react'
import { report } from '../../api/log.ts'
import { offerProof } from '../../api/proof.ts'

type DialogProps = { isOpen: boolean; onSettle: (proven: boolean) => void }

/** Mounted in the frame of each app; the dialog is loaded when a step-up is first required. */
export function ProofProvider() {
  const [isOpen, setOpen] = useState(false)
  const [Dialog, setDialog] = useState<ComponentType<DialogProps>>()
  const answer = useRef<((proven: boolean) => void)[]>([])
  const settle = useRef((proven: boolean) => {
    setOpen(false)
    for (const resolve of answer.current.splice(0)) resolve(proven)
  }).current
  useEffect(
    () =>
      offerProof(() => {
        import('./proof-dialog.tsx').then(
          ({ ProofDialog }) => {
            setDialog(() => ProofDialog)
            setOpen(true)
          },
          // Without the dialog the call is refused, and its form keeps the input.
          (error: unknown) => {
            report('part.missing', { error: String(error) })
            settle(false)
          },
        )
        // Concurrent calls share one step-up.
        return new Promise((resolve) => {
          answer.current.push(resolve)
        })
      }),
    [settle],
  )
  return Dialog && <Dialog isOpen={isOpen} onSettle={settle} />
}
