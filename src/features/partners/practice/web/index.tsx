export { OfficesPanel } from './Offices.tsx'
