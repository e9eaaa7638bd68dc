export function DepositPage() {
  return null
}
