-- The rowid is `mail.search_id`. Contentless: the words only, since the texts are elsewhere.
-- Marks count as letters, or Thai and Hindi words would fall apart at each vowel.
CREATE VIRTUAL TABLE `mail_words` USING fts5(subject, sender, summary, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
