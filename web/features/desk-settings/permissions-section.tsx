import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import { memberPermissions, type Scope } from '@atrium/contract/access/scopes.ts'
import { Checkbox } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { SectionForm } from './section-form.tsx'
import { useSection } from './use-workspace.ts'

export function PermissionsSection() {
  const { t } = useTranslation()
  const form = useSection('permissions')
  const denied = form.values.default_permissions
  const turn = (key: string, isOpen: boolean) =>
    form.change({
      default_permissions: isOpen ? denied.filter((entry) => entry !== `${key}-`) : [...denied, `${key}-`],
    })
  return (
    <SectionForm
      title={t('Permissions')}
      help={t('What every member may do while the feature is on. Permissions of a single member can differ.')}
      form={form}
    >
      {memberPermissions.map((key) => (
        <Checkbox
          key={key}
          label={t(scopeLabels[key as Scope] ?? key)}
          checked={!denied.includes(`${key}-`)}
          onChange={(event) => turn(key, event.currentTarget.checked)}
        />
      ))}
    </SectionForm>
  )
}
