import { ActionIcon } from '@mantine/core'
import { IconArrowAutofitWidth, IconMinus, IconPlus, IconRotate, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './sheet.module.css'
import type { Sheet } from './use-sheet.ts'

export function SheetTools({ sheet, children }: { sheet: Sheet; children?: ReactNode }) {
  const { t } = useTranslation()
  const { scale, turns, larger, smaller, turn, restore } = sheet
  return (
    <div className={parts.tools} data-group="sm" data-align="center">
      <ActionIcon aria-label={t('Zoom out')} disabled={!smaller} onClick={() => smaller?.()}>
        <IconMinus size={18} stroke={1.5} />
      </ActionIcon>
      <output aria-label={t('Zoom')}>{`${Math.round(scale * 100)}%`}</output>
      <ActionIcon aria-label={t('Zoom in')} disabled={!larger} onClick={() => larger?.()}>
        <IconPlus size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label={t('Fit to width')} disabled={scale === 1 && turns % 4 === 0} onClick={restore}>
        <IconArrowAutofitWidth size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label={t('Rotate left')} onClick={() => turn(-1)}>
        <IconRotate size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label={t('Rotate right')} onClick={() => turn(1)}>
        <IconRotateClockwise size={18} stroke={1.5} />
      </ActionIcon>
      {children}
    </div>
  )
}
