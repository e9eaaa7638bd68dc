import { isHeld } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { IconShieldQuestion, IconShieldX } from '@tabler/icons-react'
import { Callout } from '../feedback/state.tsx'
import { useTranslation } from '../text/use-translation.ts'
import parts from './scan-mark.module.css'

/** Marks a listed file that cannot be downloaded yet or at all; empty for any other file. */
export function ScanMark({ scan, isShort = false }: { scan: string; isShort?: boolean }) {
  const { t } = useTranslation()
  if (!isHeld(scan)) return null
  const isFound = scan === 'infected'
  const Icon = isFound ? IconShieldX : IconShieldQuestion
  return (
    <span className={`${parts.mark} ${isFound ? parts.found : ''}`}>
      <Icon size={14} stroke={1.5} aria-hidden />
      {isFound && t('A virus was found')}
      {!isFound && (isShort ? t('Scanning') : t('Still being checked for viruses'))}
    </span>
  )
}

/** Replaces a file that cannot be downloaded. A polling view shows the file once it has been scanned. */
export function HeldFile({ scan, name }: { scan: string; name: string }) {
  const { t } = useTranslation()
  if (scan === 'infected') return <Callout meaning="red">{`${name}: ${t(fileTexts.fileInfected)}`}</Callout>
  return (
    <Callout meaning="amber">
      {t('{{name}} is still being checked for viruses. It appears here automatically.', { name })}
    </Callout>
  )
}
