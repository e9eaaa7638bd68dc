import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { Callout } from '../../../ui/feedback/state.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from '../forms.module.css'
import { type Imported, readImported } from './form-problems.ts'

type ImportFieldProps = { onImported: (definition: FormDefinition | null, name: string | null) => void }

/** Imports a form from a file and reports its problems. */
export function ImportField({ onImported }: ImportFieldProps) {
  const { t } = useTranslation()
  const [read, setRead] = useState<{ file: string; imported: Imported } | null>(null)
  const take = async (file: File | null) => {
    if (!file) return
    const imported = readImported(await file.text())
    setRead({ file: file.name, imported })
    if ('definition' in imported) onImported(imported.definition, imported.name)
    else onImported(null, null)
  }
  return (
    <div data-stack="sm">
      <div>
        <FileButton accept="application/json,.json" onChange={take}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
            >
              {t('Choose a JSON file')}
            </Button>
          )}
        </FileButton>
      </div>
      {read && 'definition' in read.imported && (
        <Callout meaning="green">{t('{{file}} contains a form that can be imported.', { file: read.file })}</Callout>
      )}
      {read && 'problems' in read.imported && (
        <Callout meaning="red">
          {t('{{file}} was rejected:', { file: read.file })}
          <ul className={parts.problems}>
            {read.imported.problems.map(({ message, where }) => (
              <li key={`${where} ${message}`}>
                {t(message)} {where && <code>{where}</code>}
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  )
}
