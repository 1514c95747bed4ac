-- The words of the index in their order. It holds nothing of its own.
CREATE VIRTUAL TABLE `mail_vocab` USING fts5vocab('mail_words', 'row');
