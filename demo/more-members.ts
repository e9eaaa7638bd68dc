import { newId } from '../server/foundation/ids.ts'

/** Enough members to page, filter and search, with realistic names from many places. */
export const names: [first: string, last: string][] = [
  ['Mohammed', 'Al-Fayed'],
  ['نور', 'الهاشمي'],
  ['Zoë', 'Åström'],
  ['Siobhán', 'O’Sullivan'],
  ['Nguyễn', 'Thị Minh Khai'],
  ['Giovanni', 'De Luca'],
  ['María José', 'Fernández de la Vega y Santisteban'],
  ['Łukasz', 'Wójcik'],
  ['Ayşe', 'Yılmaz'],
  ['田中', '美咲'],
  ['Kwame', 'Nkrumah-Boateng'],
  ['Aoife', 'Ní Dhomhnaill'],
  ['Jean-Baptiste', 'Lefèvre'],
  ['Олена', 'Ковальчук'],
  ['Priya', 'Venkataraman'],
  ['שרה', 'לוי'],
  ['Thabo', 'Mokoena'],
  ['Freja', 'Sørensen'],
  ['Dimitrios', 'Papadopoulos'],
  ['Ana', 'Župančič'],
  ['Wei', 'Zhang'],
  ['Ji-woo', 'Kim'],
  ['Rafael', 'da Silva Sauro'],
  ['Sofía', 'Muñoz'],
  ['Björn', 'Guðmundsson'],
  ['Chidi', 'Okonkwo'],
  ['Elif', 'Demir'],
  ['Hans', 'von und zu Hohenstein-Wittelsbach'],
  ['Ines', 'Costa'],
  ['Jakub', 'Dvořák'],
  ['Karim', 'Benali'],
  ['Leila', 'Haddad'],
  ['Mateo', 'Rossi'],
  ['Niamh', 'Byrne'],
  ['Omar', 'Farouk'],
  ['Petra', 'Novák'],
  ['Quentin', 'Dubois'],
  ['Rania', 'Khoury'],
  ['Stefan', 'Ionescu'],
  ['Tariq', 'Mahmood'],
  ['Uma', 'Iyer'],
  ['Viktor', 'Petrov'],
  ['Wanjiru', 'Kamau'],
  ['Xenia', 'Markou'],
  ['Yusuf', 'Abdi'],
  ['Zara', 'Sheikh'],
  ['Luca', 'Müller'],
  ['Emma', 'Virtanen'],
  ['Noah', 'van den Berg'],
  ['Mia', 'Horvat'],
  ['Leo', 'Camilleri'],
  ['Ella', 'Borg'],
  ['Adam', 'Grech'],
  ['Nina', 'Zammit'],
  ['Paul', 'Farrugia'],
  ['Rosa', 'Mifsud'],
  ['Sam', 'Vella'],
  ['Tess', 'Azzopardi'],
]

const documents = ['approved', 'approved', 'approved', 'in_verification', 'pending', 'rejected'] as const
const dayMs = 86_400_000

export const isVerified = (index: number): boolean => documentsOf(index) === 'approved' && !isLocked(index)

const documentsOf = (index: number) => documents[index % documents.length] ?? 'pending'
const isLocked = (index: number): boolean => index % 19 === 7

/** They do not sign in: their password is unknown. */
export function moreMembers(workspace_id: string, now: number) {
  return names.map(([first_name, last_name], index) => {
    const email = `member${index + 1}@people.example`
    return {
      workspace_id,
      member_id: newId(),
      customer_number: String(101_001 + index),
      first_name,
      last_name,
      email,
      emails: [email],
      phones: index % 3 === 0 ? [] : [`+356 2122 ${4500 + index}`],
      password_hash: 'none',
      status: isLocked(index) ? 'locked' : 'active',
      documents_status: documentsOf(index),
      created_at: new Date(now - (index * 11 + 2) * dayMs),
    }
  })
}
