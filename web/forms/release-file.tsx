import { Button } from '@mantine/core'
import { useState } from 'react'
import { notifyMissing } from '../ui/lazy/lazy.tsx'
import { usePart } from '../ui/lazy/use-part.ts'
import { useTranslation } from '../ui/text/use-translation.ts'

/** Rarely needed, so no page loads it at its start. */
const dialog = async () => (await import('./release-dialog.tsx')).ReleaseFileDialog

type Unscanned = { _id: string; name: string; is_unscannable: boolean; may_release: boolean }

/**
 * Marks a member's file that no virus scanner is left to check, and opens it where the server lets the signed-in role do
 * so. Empty for any other file.
 */
export function ReleaseFile({ file }: { file: Unscanned }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const onMissing = () => {
    close()
    notifyMissing()
  }
  const Dialog = usePart(dialog, { isAsked: isAsking, onMissing })
  if (!file.is_unscannable) return null
  return (
    <>
      <div data-group="sm" data-align="center">
        <span>{t('{{name}} is not checked for viruses, so nobody can open it.', { name: file.name })}</span>
        {file.may_release && (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            {t('Release file')}
          </Button>
        )}
      </div>
      {isAsking && Dialog && <Dialog file={file} onClose={close} />}
    </>
  )
}
