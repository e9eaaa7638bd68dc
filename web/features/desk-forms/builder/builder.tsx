import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { FormPanel } from '../form-panel.tsx'
import { findField } from '../form-places.ts'
import parts from './builder.module.css'
import { BuilderDrag } from './builder-drag.tsx'
import { Canvas } from './canvas.tsx'
import { FieldPanel } from './field-panel.tsx'
import type { FormProblem } from './form-problems.ts'
import { Palette } from './palette.tsx'
import type { FormEditor } from './use-form-editor.ts'

type BuilderProps = { form: FormEditor; definition: FormDefinition; problems: FormProblem[] }

/** Palette, form canvas and the panel of the selection. */
export function Builder({ form, definition, problems }: BuilderProps) {
  const { t } = useTranslation()
  const { editor, selected } = form
  const field = selected?.kind === 'field' ? findField(definition, selected.name)?.field : undefined
  return (
    <BuilderDrag definition={definition} editor={editor}>
      <div className={parts.builder}>
        <Palette editor={editor} selected={selected} />
        <Canvas definition={definition} editor={editor} selected={selected} problems={problems} />
        {field ? (
          <FieldPanel definition={definition} field={field} editor={editor} />
        ) : (
          <FormPanel definition={definition} editor={editor} />
        )}
      </div>
      <output className={parts.unseen} aria-live="polite" aria-label={t('Result of the move')}>
        {form.said}
      </output>
    </BuilderDrag>
  )
}
