import { type StaffRole, staffRoles } from '@atrium/contract/staff/rights.ts'
import { Radio } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { roleLabels } from './staff-labels.ts'

type RoleChoiceProps = { value: StaffRole | null; onChange: (role: StaffRole) => void; error?: string | null }

export function RoleChoice({ value, onChange, error }: RoleChoiceProps) {
  const { t } = useTranslation()
  return (
    <Radio.Group label={t('Role')} value={value} error={error} onChange={(role) => onChange(role as StaffRole)}>
      <div data-stack="md" data-above="sm">
        {staffRoles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t(roleLabels[role].name)}
            description={t(roleLabels[role].description)}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
