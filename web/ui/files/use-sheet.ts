import { useState } from 'react'
import { useKeys } from '../layout/keyboard.tsx'
import { useTranslation } from '../text/use-translation.ts'
import type { Look } from './pdf-labels.ts'

export type Sheet = Look & {
  /** Null at the largest or smallest scale. */
  larger: (() => void) | null
  smaller: (() => void) | null
  turn: (by: 1 | -1) => void
  restore: () => void
}

const usualScales = [1, 1.5, 2, 3, 4]

/** The view of a document: fits the width at first, zooms in steps, rotates by 90°. */
export function useSheet(scales: readonly number[] = usualScales): Sheet {
  const fitting = scales.indexOf(1)
  const [step, setStep] = useState(fitting)
  const [turns, setTurns] = useState(0)
  return {
    scale: scales[step] ?? 1,
    turns,
    larger: step < scales.length - 1 ? () => setStep((before) => Math.min(before + 1, scales.length - 1)) : null,
    smaller: step > 0 ? () => setStep((before) => Math.max(before - 1, 0)) : null,
    turn: (by) => setTurns((before) => before + by),
    restore: () => {
      setStep(fitting)
      setTurns(0)
    },
  }
}

export function useSheetKeys({ larger, smaller, turn, restore }: Sheet): void {
  const { t } = useTranslation()
  useKeys(t('Document viewer'), [
    { keys: '+', label: 'Zoom in', mayRepeat: true, act: () => larger?.() },
    { keys: '-', label: 'Zoom out', mayRepeat: true, act: () => smaller?.() },
    { keys: ',', label: 'Rotate left', act: () => turn(-1) },
    { keys: '.', label: 'Rotate right', act: () => turn(1) },
    { keys: '0', label: 'Reset', act: restore },
  ])
}
