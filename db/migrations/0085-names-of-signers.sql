-- The name of a certificate of our own making is the business's name alone: the whole of its fields stood in its place, on the screen as on paper.

update signing_certificates set subject = regexp_replace(substring(subject from ' \+ CN=(.*)$'), '\\(.)', '\1', 'g') where self_made and subject like '% + CN=%';
update signing_certificates set issuer = regexp_replace(substring(issuer from ' \+ CN=(.*)$'), '\\(.)', '\1', 'g') where self_made and issuer like '% + CN=%';
