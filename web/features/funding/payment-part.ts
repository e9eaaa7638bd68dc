export { PaymentFields } from './payment-fields.tsx'
export { rules } from './payment-rules.ts'
