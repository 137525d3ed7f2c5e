export { Letters } from './Letters.tsx'
export { People } from './People.tsx'
