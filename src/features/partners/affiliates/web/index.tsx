export { AffiliateHome } from './Mine.tsx'
