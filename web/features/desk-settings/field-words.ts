/** What people call the fields of the settings. */
export const fieldWords: Record<string, string> = {
  name: 'Name',
  accent: 'Accent',
  support_email: 'Support email',
  features: 'Features',
  default_currency: 'Default currency',
  acc_creation_live_configuration: 'Live accounts',
  acc_creation_demo_configuration: 'Demo accounts',
  leverage: 'Leverage',
  default_bank_accounts_for_clients: 'Bank accounts for every member',
  password_chars_max: 'Longest password',
  session_idle_minutes: 'Idle time',
  session_hours_max: 'Longest session',
  default_permissions: 'Permissions',
  vendors: 'Vendors',
  departments: 'Departments',
}
